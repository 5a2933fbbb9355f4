"""The table page and the seats' own pages: what each may know goes out, what is tapped on them comes in."""
