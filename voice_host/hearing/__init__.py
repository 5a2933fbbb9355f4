"""From a microphone to hypotheses: devices, endpointing, recognisers."""
