"""Grounding: does what a decision claims stand in what the agent was shown? (PATHWAYS, section 5: hallucination)"""
