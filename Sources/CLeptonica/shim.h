#pragma once
#include <leptonica/allheaders.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Leptonica's types are complete up to 1.82 and incomplete from 1.83 on, so Swift imports them as
// different pointers. Here a picture (PIX), a list of boxes (BOXA) and a list of pictures (PIXA)
// are plain addresses. Each function calls the one of its last comment line.

/// Turns the messages on the standard error off, for the whole process. setMsgSeverity
static inline void CLeptonica_keepSilent(void) { setMsgSeverity(L_SEVERITY_NONE); }

/// Makes a black picture of 8 bits, or a white one of 1 bit. pixCreate
static inline void *_Nullable CLeptonica_create(int width, int height, int depth) {
  return pixCreate(width, height, depth);
}

/// Frees a picture. pixDestroy
static inline void CLeptonica_destroy(void *picture) {
  PIX *pix = picture;
  pixDestroy(&pix);
}

/// pixGetWidth
static inline int CLeptonica_width(void *picture) { return pixGetWidth(picture); }

/// pixGetHeight
static inline int CLeptonica_height(void *picture) { return pixGetHeight(picture); }

/// The words of 32 bits in a row. pixGetWpl
static inline int CLeptonica_wordsPerRow(void *picture) { return pixGetWpl(picture); }

/// The words; the first sample is in the highest bits of the first word. pixGetData
static inline uint32_t *_Nullable CLeptonica_words(void *picture) { return pixGetData(picture); }

/// Makes the background even. pixBackgroundNorm
static inline void *_Nullable CLeptonica_normalize(
    void *picture, int tileWidth, int tileHeight, int threshold, int leastCount, int level) {
  return pixBackgroundNorm(
      picture, NULL, NULL, tileWidth, tileHeight, threshold, leastCount, level, 2, 1);
}

/// Enlarges a picture of 8 bits. pixScaleGrayLI
static inline void *_Nullable CLeptonica_scale(void *picture, float factor) {
  // Unlike pixScale, this function sharpens at no factor.
  return pixScaleGrayLI(picture, factor, factor);
}

/// Enlarges or reduces a picture of 1 bit by the nearest pixels. pixScaleBinary
static inline void *_Nullable CLeptonica_scaleBinary(void *picture, float factor) {
  return pixScaleBinary(picture, factor, factor);
}

/// Makes a picture of 1 bit whose ink is darker than the threshold. pixThresholdToBinary
static inline void *_Nullable CLeptonica_threshold(void *picture, int threshold) {
  return pixThresholdToBinary(picture, threshold);
}

/// Keeps components that are smaller than a size both ways, and reach a size in one way at least.
/// pixConnComp, pixaSelectBySize, pixaDisplay
static inline void *_Nullable CLeptonica_keepLetters(
    void *picture, int width, int height, int largest) {
  // Two calls of pixSelectBySize keep the same, and take twice as long.
  PIXA *all = NULL;
  BOXA *boxes = pixConnComp(picture, &all, 8);
  boxaDestroy(&boxes);
  PIXA *small =
      all == NULL
          ? NULL
          : pixaSelectBySize(all, largest, largest, L_SELECT_IF_BOTH, L_SELECT_IF_LT, NULL);
  PIXA *letters =
      small == NULL
          ? NULL
          : pixaSelectBySize(small, width, height, L_SELECT_IF_EITHER, L_SELECT_IF_GTE, NULL);
  PIX *kept = letters == NULL ? NULL
                              : pixaDisplay(letters, pixGetWidth(picture), pixGetHeight(picture));
  pixaDestroy(&letters);
  pixaDestroy(&small);
  pixaDestroy(&all);
  return kept;
}

/// Applies morphological operations. pixMorphSequence
static inline void *_Nullable CLeptonica_morph(void *picture, const char *operations) {
  return pixMorphSequence(picture, operations, 0);
}

/// Fills holes: white parts that ink surrounds. pixHolesByFilling, pixOr
static inline void *_Nullable CLeptonica_fillHoles(void *picture) {
  PIX *holes = pixHolesByFilling(picture, 4);
  PIX *filled = holes == NULL ? NULL : pixOr(NULL, picture, holes);
  pixDestroy(&holes);
  return filled;
}

/// Turns a picture clockwise by 90 degrees. pixRotate90
static inline void *_Nullable CLeptonica_quarterTurn(void *picture) {
  return pixRotate90(picture, 1);
}

/// Turns a picture of 1 bit clockwise around its middle. pixRotate
static inline void *_Nullable CLeptonica_turn(void *picture, float radians) {
  return pixRotate(picture, radians, L_ROTATE_SHEAR, L_BRING_IN_WHITE, 0, 0);
}

/// Finds the clockwise angle that levels the lines; 0 for success.
/// pixFindSkewSweepAndSearchScorePivot
static inline int CLeptonica_findSkew(
    void *picture, float range, float *degrees, float *confidence) {
  float score = 0;
  return pixFindSkewSweepAndSearchScorePivot(
      picture, degrees, confidence, &score, 4, 2, 0, range, 1, 0.01f, L_SHEAR_ABOUT_CENTER);
}

/// Finds the clockwise angle near a rough one in full resolution; 0 for success, and the angle is 0
/// when it is not near. pixFindSkewSweepAndSearchScorePivot
static inline int CLeptonica_refineSkew(
    void *picture, float rough, float *degrees, float *confidence) {
  float score = 0;
  return pixFindSkewSweepAndSearchScorePivot(
      picture, degrees, confidence, &score, 2, 1, rough, 0.3f, 0.1f, 0.01f, L_SHEAR_ABOUT_CENTER);
}

/// Compares ascenders with descenders: above 0 for upright text; 0 for success. pixUpDownDetect
static inline int CLeptonica_compareAscenders(void *picture, float *confidence) {
  return pixUpDownDetect(picture, confidence, 0, 0, 0);
}

/// Finds the boxes of the components, joined also at corners. pixConnCompBB
static inline void *_Nullable CLeptonica_boxes(void *picture) { return pixConnCompBB(picture, 8); }

/// boxaGetCount
static inline int CLeptonica_boxCount(void *boxes) { return boxaGetCount(boxes); }

/// Reads a box; 0 for success. boxaGetBoxGeometry
static inline int CLeptonica_box(
    void *boxes, int index, int *x, int *y, int *width, int *height) {
  return boxaGetBoxGeometry(boxes, index, x, y, width, height);
}

/// Frees boxes. boxaDestroy
static inline void CLeptonica_destroyBoxes(void *boxes) {
  BOXA *boxa = boxes;
  boxaDestroy(&boxa);
}

/// Finds the components with their pictures, joined at sides or also at corners. pixConnComp
static inline void *_Nullable CLeptonica_components(void *picture, int connectivity) {
  PIXA *components = NULL;
  BOXA *boxes = pixConnComp(picture, &components, connectivity);
  boxaDestroy(&boxes);
  return components;
}

/// pixaGetCount
static inline int CLeptonica_componentCount(void *components) { return pixaGetCount(components); }

/// Reads the box of a component; 0 for success. pixaGetBoxGeometry
static inline int CLeptonica_componentBox(
    void *components, int index, int *x, int *y, int *width, int *height) {
  return pixaGetBoxGeometry(components, index, x, y, width, height);
}

/// Returns the picture of a component, to be freed. pixaGetPix
static inline void *_Nullable CLeptonica_component(void *components, int index) {
  return pixaGetPix(components, index, L_CLONE);
}

/// Frees components. pixaDestroy
static inline void CLeptonica_destroyComponents(void *components) {
  PIXA *pixa = components;
  pixaDestroy(&pixa);
}

#pragma clang assume_nonnull end
