"""The model file: its layout, read and checked, written whole or not at all."""
