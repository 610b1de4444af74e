"""Claims that people labelled, and how well the detector of hallucinations agrees with them."""
