#include "CGPIOLines.h"
extern int cgpiolines_nothing;
