// The function of the caller that takes events on the thread that has made them.
#pragma once

namespace platen {

/// A listener of an event queue: a function of the caller and the context that the function owns.
class EventListener {
 public:
  EventListener(int (*take)(void *), void (*release)(void *), void *context)
      : take_(take), release_(release), context_(context) {}

  ~EventListener() { release_(context_); }

  EventListener(const EventListener &) = delete;
  EventListener &operator=(const EventListener &) = delete;

  /// Has the waiting events taken; returns whether the listener has looked at all of them.
  bool take() const { return take_(context_) != 0; }

 private:
  int (*const take_)(void *);
  void (*const release_)(void *);
  void *const context_;
};

}  // namespace platen
