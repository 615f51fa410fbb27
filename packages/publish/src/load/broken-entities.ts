/** Finds entities that violate their type's schema, because it was tightened later or `onInvalid` was `warn`. */

import type { Store } from '@worldwright/core/store'
import { createValidator } from '@worldwright/entities/schemas'
import { createTypeCheck, type TypeDefinition } from '@worldwright/entities/types'

/** Entities of one type that violate its schema. */
export interface BrokenType {
  readonly type: string
  readonly count: number
  /** First twenty entities in ascending order of id, each with its first fault. */
  readonly examples: readonly { readonly id: string; readonly fault: string }[]
}

const EXAMPLES = 20

/** Validates every entity of these types against its schema. Returns the types with invalid entities, in ascending order. */
export async function brokenEntities(store: Store, types: readonly TypeDefinition[]): Promise<BrokenType[]> {
  const described = types.filter(({ schema }) => schema !== undefined).map(({ type }) => type)
  const check = createTypeCheck(types, createValidator)
  const found: BrokenType[] = []
  const snapshot = described.length > 0 ? await store.snapshot() : undefined
  try {
    for (const type of described.sort()) {
      const examples: { id: string; fault: string }[] = []
      let count = 0
      for await (const { id, json } of snapshot?.entities(type) ?? []) {
        const [fault] = check(type, JSON.parse(json).attributes).faults
        if (fault === undefined) continue
        count += 1
        if (examples.length < EXAMPLES)
          examples.push({ id, fault: `/attributes${fault.pointer} ${fault.message}` })
      }
      if (count > 0) found.push({ type, count, examples })
    }
  } finally {
    await snapshot?.close()
  }
  return found
}
