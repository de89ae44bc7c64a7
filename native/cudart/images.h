// Texture and surface objects.
#pragma once

namespace cudart {

/** After a reset of the device, which destroys all objects. */
void forget_images();

}  // namespace cudart
