// The tables behind the handles of the C interface.
#pragma once

#include "../Manager/Manager.hpp"
#include "HandleTable.hpp"

namespace platen {

class Device;
class FrameLease;

HandleTable<Manager> &managers();
HandleTable<Device> &devices();
HandleTable<FrameLease> &frame_leases();

}  // namespace platen
