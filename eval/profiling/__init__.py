"""What an observer costs on a device: a fixed stream of observations, measured without users."""
