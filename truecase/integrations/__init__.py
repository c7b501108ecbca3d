"""Steps for pipelines of other libraries, one module for each library."""
