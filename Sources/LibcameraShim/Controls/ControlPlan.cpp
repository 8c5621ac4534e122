#include "ControlPlan.hpp"

#include <algorithm>

#include "Capabilities.hpp"
#include "Choices.hpp"
#include "Planner.hpp"

namespace platen {

ControlPlan::ControlPlan(const CameraFacts &camera, const platen_camera_controls &wanted,
                         const libcamera::Size &stream) {
  const auto has = capabilities_of(camera, stream);
  require_modes(has, wanted);
  require_limits(has, wanted);
  const auto field = FieldOfView::of(camera, stream);
  const auto shown = field ? field->cropped(std::max(1.0, wanted.zoom)) : libcamera::Rectangle();
  Planner planner(camera, shown);
  for (const Choice &choice : all_choices()) {
    const auto *word = choice_of(wanted, choice.control);
    if (word ? word->word == choice.word : choice.is_usual)
      choice.plan(planner, word ? *word : platen_camera_choice{});
  }
  if (field)
    planner.crop(shown, wanted.zoom <= 1);
  for (const auto &control : image_of(wanted)) {
    // The default is written, too, because libcamera keeps a control's value.
    if (control.is_set)
      planner.real(control.name, control.value);
    else if (const auto standard = planner.listed().standard(control.name))
      planner.real(control.name, *standard);
  }
  planner.fill(*this);
}

}  // namespace platen
