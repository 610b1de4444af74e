"""people: a person who solves cases (`--agent human`) in a page that we serve on this machine.

`person_server` serves the page and plays a phase as the person does, `shown_browser` shows the browser and passes on
clicks and keys. What the person does is observed like the acts of an agent that drives the browser itself (`cdp`).
"""
