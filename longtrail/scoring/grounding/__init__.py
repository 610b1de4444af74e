"""Grounding: is what a decision claims supported by what the agent was shown? (PATHWAYS, section 5: hallucination)"""
