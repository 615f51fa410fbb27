/** Condition of a request for changes, the parameter `where`. */
import type { EntityTypeDescription, JsonValue } from '@worldwright/client/protocol'
import type { OwnPath } from '@worldwright/core/store'
import { type Test, testOf } from '@worldwright/search/entities'
import { InputFaults } from '../query/input-faults.ts'
import { type DeadEnd, KnownProperties } from '../query/known-properties.ts'
import { readWhere } from '../query/read-where.ts'

/** A condition on the entities of changes, compiled once per request. */
export interface ChangeCondition {
  readonly test: Test
  /** Canonical serialization: equal keys mean equal conditions. */
  readonly key: string
}

/** Properties of the changed entities themselves. */
class OwnProperties extends KnownProperties {
  /** Refuses a path that would continue through a reference. */
  override through(path: OwnPath): DeadEnd | undefined {
    const message =
      'changes cannot follow a path through a reference, since they would miss a change of the referenced entity'
    return super.through(path) && { message }
  }
}

/**
 * Reads a condition as in a query over these types of the world.
 * @throws WorldFault `invalid_parameter` with every fault, each with a pointer into `where`
 */
export function readChangeCondition(
  where: JsonValue,
  types: readonly EntityTypeDescription[],
  world: readonly EntityTypeDescription[],
): ChangeCondition {
  const faults = new InputFaults('where')
  const condition = readWhere(where, '', { properties: new OwnProperties(types, world), faults })
  faults.throwIfAny()
  if (condition === undefined) throw new TypeError('a condition without a fault was not read')
  return { test: testOf(condition), key: JSON.stringify(condition) }
}
