#pragma once
#include <histedit.h>

// el_set(3), el_get(3) and history(3) are variadic, which Swift cannot call. Each call here is one
// of their operations, and returns their result: 0, or -1.

/// Sets the function that gives the prompt (EL_PROMPT).
static inline int CEditLine_setPrompt(
    EditLine *_Nonnull editor, char *_Nullable (*_Nonnull prompt)(EditLine *_Nullable)) {
  return el_set(editor, EL_PROMPT, prompt);
}

/// Sets the keys, "emacs" or "vi" (EL_EDITOR).
static inline int CEditLine_setKeys(EditLine *_Nonnull editor, const char *_Nonnull name) {
  return el_set(editor, EL_EDITOR, name);
}

/// Sets whether the library handles signals itself (EL_SIGNAL).
static inline int CEditLine_setHandlesSignals(EditLine *_Nonnull editor, int handles) {
  return el_set(editor, EL_SIGNAL, handles);
}

/// Binds a key to a function by name (EL_BIND).
static inline int CEditLine_bind(
    EditLine *_Nonnull editor, const char *_Nonnull key, const char *_Nonnull function) {
  return el_set(editor, EL_BIND, key, function, NULL);
}

/// Adds a function under a name (EL_ADDFN).
static inline int CEditLine_addFunction(
    EditLine *_Nonnull editor, const char *_Nonnull name, const char *_Nonnull help,
    unsigned char (*_Nonnull function)(EditLine *_Nullable, int)) {
  return el_set(editor, EL_ADDFN, name, help, function);
}

/// Changes a mode of the terminal, for example "-isig" (EL_SETTY).
///
/// `when` is "-d" while a line is edited or "-x" otherwise.
static inline int CEditLine_setMode(
    EditLine *_Nonnull editor, const char *_Nonnull when, const char *_Nonnull mode) {
  return el_set(editor, EL_SETTY, when, mode, NULL);
}

/// Sets the function that reads a character: 1, 0 at the end, -1 on failure (EL_GETCFN).
static inline int CEditLine_setReader(
    EditLine *_Nonnull editor,
    int (*_Nonnull reader)(EditLine *_Nullable, wchar_t *_Nullable)) {
  return el_set(editor, EL_GETCFN, reader);
}

/// Keeps a pointer for the functions (EL_CLIENTDATA).
static inline int CEditLine_setClientData(EditLine *_Nonnull editor, void *_Nullable data) {
  return el_set(editor, EL_CLIENTDATA, data);
}

/// Returns the pointer that was kept; NULL when there is none (EL_CLIENTDATA).
static inline void *_Nullable CEditLine_clientData(EditLine *_Nonnull editor) {
  void *data = NULL;
  return el_get(editor, EL_CLIENTDATA, &data) == 0 ? data : NULL;
}

/// Shows prompt and line again (EL_REFRESH).
static inline int CEditLine_refresh(EditLine *_Nonnull editor) {
  return el_set(editor, EL_REFRESH);
}

/// Connects the history keys to a history (EL_HIST).
static inline int CEditLine_setHistory(
    EditLine *_Nonnull editor, History *_Nonnull history_) {
  return el_set(editor, EL_HIST, history, history_);
}

/// Limits a history (H_SETSIZE); below 0 on failure.
static inline int CEditLine_setHistorySize(History *_Nonnull history_, int lines) {
  HistEvent event;
  return history(history_, &event, H_SETSIZE, lines);
}

/// Adds a line to a history (H_ENTER); below 0 on failure.
static inline int CEditLine_enter(History *_Nonnull history_, const char *_Nonnull line) {
  HistEvent event;
  return history(history_, &event, H_ENTER, line);
}
