"""Pictures: the drawings that forum members post. `python -m workshop.pictures` draws them again.

Only the pixels contain what decides a case: a file's name is a checksum of the drawing's name, and the file has no
text metadata. Drawing needs the extra `pictures` (matplotlib and its fonts); serving the checked-in files does not.
"""
