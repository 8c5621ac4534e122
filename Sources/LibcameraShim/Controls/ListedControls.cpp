#include "ListedControls.hpp"

#include <libcamera/control_ids.h>

#include <algorithm>

namespace platen {
namespace {

using libcamera::ControlType;
using libcamera::ControlValue;

/// Returns a number of any type, or the first element of an array.
std::optional<double> number(const ControlValue &value) {
  const libcamera::Span<const uint8_t> bytes = value.data();
  auto first = [&]<typename Number>(Number) -> std::optional<double> {
    if (bytes.size() < sizeof(Number))
      return std::nullopt;
    Number read;
    std::copy_n(bytes.data(), sizeof read, reinterpret_cast<uint8_t *>(&read));
    return static_cast<double>(read);
  };
  switch (value.type()) {
    case ControlType::ControlTypeBool: return first(uint8_t());
    case ControlType::ControlTypeInteger32: return first(int32_t());
    case ControlType::ControlTypeInteger64: return first(int64_t());
    case ControlType::ControlTypeFloat: return first(float());
    default: return std::nullopt;
  }
}

}  // namespace

const ListedControls::Entry *ListedControls::find(
    std::string_view name, ControlType type) const {
  for (const auto &entry : listed_)
    if (entry.first->name() == name && entry.first->type() == type)
      return &entry;
  return nullptr;
}

std::optional<unsigned int> ListedControls::id(std::string_view name, ControlType type) const {
  const Entry *entry = find(name, type);
  return entry ? std::optional(entry->first->id()) : std::nullopt;
}

bool ListedControls::offers(std::string_view name, ControlType type, int64_t value) const {
  const Entry *entry = find(name, type);
  if (!entry)
    return false;
  const auto &values = entry->second.values();
  if (!values.empty())
    return std::any_of(values.begin(), values.end(), [&](const ControlValue &offered) {
      return number(offered) == static_cast<double>(value);
    });
  const auto minimum = number(entry->second.min());
  const auto maximum = number(entry->second.max());
  return (!minimum || *minimum <= static_cast<double>(value)) &&
         (!maximum || static_cast<double>(value) <= *maximum);
}

platen_camera_range ListedControls::range(std::string_view name, ControlType type) const {
  const Entry *entry = find(name, type);
  if (!entry)
    return no_range;
  const auto minimum = number(entry->second.min());
  const auto maximum = number(entry->second.max());
  // A camera that has not been configured reports 0 for both.
  if (!minimum || !maximum || *minimum > *maximum || *maximum <= 0)
    return no_range;
  return {*minimum, *maximum};
}

std::optional<float> ListedControls::standard(std::string_view name) const {
  const Entry *entry = find(name, ControlType::ControlTypeFloat);
  if (!entry)
    return std::nullopt;
  const ControlValue &value = entry->second.def();
  if (value.type() != ControlType::ControlTypeFloat || value.isArray())
    return std::nullopt;
  return value.get<float>();
}

std::vector<std::string> ListedControls::reals() const {
  std::vector<std::string> names;
  for (const auto &[control, info] : listed_)
    if (control->type() == ControlType::ControlTypeFloat && !info.min().isArray())
      names.push_back(control->name());
  return names;
}

libcamera::Size ListedControls::smallest(std::string_view name) const {
  const Entry *entry = find(name, ControlType::ControlTypeRectangle);
  if (!entry || entry->second.min().type() != ControlType::ControlTypeRectangle ||
      entry->second.min().isArray())
    return {};
  return entry->second.min().get<libcamera::Rectangle>().size();
}

unsigned int known_control(std::string_view name) {
  for (const auto &[id, control] : libcamera::controls::controls)
    if (control->name() == name)
      return id;
  return 0;
}

}  // namespace platen
