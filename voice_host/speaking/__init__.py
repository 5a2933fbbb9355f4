"""From words to sound in the room: voices, earcons, loudspeakers."""
