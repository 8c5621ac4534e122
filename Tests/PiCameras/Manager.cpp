// libcamera's CameraManager with the cameras that the environment names.
#include <libcamera/camera_manager.h>

#include <cstdlib>
#include <sstream>

#include "Cameras.hpp"

namespace picameras {

std::vector<std::unique_ptr<Pipeline>> pipelines() {
  std::vector<std::unique_ptr<Pipeline>> made;
  const char *text = std::getenv("PI_CAMERAS");
  std::istringstream names(text ? text : "");
  for (std::string name; names >> name;) {
    const std::string kind = name.substr(0, name.find('/'));
    std::string model = name.substr(name.find('/') + 1);
    int rotation = -1;
    const bool has_flips = !model.ends_with("/noflips");
    const bool takes_exposure = !model.ends_with("/stiff");
    const bool widens_rows = model.ends_with("/wide");
    if (const size_t slash = model.find('/'); slash != model.npos) {
      rotation = std::atoi(model.c_str() + slash + 1);
      model.resize(slash);
    }
    auto pipeline = kind == "uvc"
                        ? make_uvc(model)
                        : make_csi(kind == "pisp", model, rotation, has_flips, takes_exposure,
                                   widens_rows);
    if (!pipeline)
      std::abort();
    made.push_back(std::move(pipeline));
  }
  return made;
}

}  // namespace picameras

namespace libcamera {

class CameraManager::Private : public Extensible::Private {
 public:
  std::vector<std::shared_ptr<Camera>> cameras;
};

CameraManager::CameraManager() : Extensible(std::make_unique<Private>()) {}
CameraManager::~CameraManager() = default;

int CameraManager::start() {
  for (auto &pipeline : picameras::pipelines()) {
    auto camera = std::make_unique<Camera::Private>(std::move(pipeline));
    const std::string id = camera->id;
    _d()->cameras.push_back(Camera::create(std::move(camera), id, {}));
  }
  return 0;
}

void CameraManager::stop() { _d()->cameras.clear(); }

std::vector<std::shared_ptr<Camera>> CameraManager::cameras() const { return _d()->cameras; }

std::shared_ptr<Camera> CameraManager::get(const std::string &id) {
  for (const auto &camera : _d()->cameras) {
    if (camera->id() == id)
      return camera;
  }
  return nullptr;
}

}  // namespace libcamera
