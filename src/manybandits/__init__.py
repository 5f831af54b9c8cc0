"""manybandits reruns five papers on learning across many contextual bandits and judges their claims."""

__version__ = "0.1.0"
