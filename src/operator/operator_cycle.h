// operator_cycle - dig, lift, swing, dump, swing back: what the hands do in each part of a cycle.
#ifndef OPERATOR_CYCLE_H
#define OPERATOR_CYCLE_H

#include "operator/operator_internal.h"

void operator_cycle_step(Operator* op, const OperatorSight* sight, InputFrame* out);

#endif
