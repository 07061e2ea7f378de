"""Nothing out on the wire: while a session blocks the network, no connection leaves this machine."""
