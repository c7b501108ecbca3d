"""What a model's speed is made of: its stages, its look-ups, and the limits of the machine.

For benchmarks alone; nothing that cases text comes here.
"""
