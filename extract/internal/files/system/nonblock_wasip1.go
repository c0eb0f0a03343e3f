package system

// NonBlock is nothing: this system has no FIFOs.
const NonBlock = 0
