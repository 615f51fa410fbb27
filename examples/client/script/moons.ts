/** Prints some icy moons of a world, and their number: `node moons.ts ORIGIN`. */
import { connect, isWorldError } from '@worldwright/client'

try {
  const world = await connect(process.argv[2] ?? 'http://127.0.0.1:8080')
  console.log(`${world.document.world?.name ?? world.origin}:`)

  const found = await world.discover({ types: ['sol:moon'], text: 'ice', limit: 3 })
  for (const { title, id } of found.entities) console.log(`  ${title ?? id}`)

  let moons = 0
  for await (const _ of world.entities('sol:moon', { pageSize: 100 })) moons += 1
  console.log(`${found.total} of ${moons} moons`)
} catch (error) {
  if (!isWorldError(error)) throw error
  console.error(`${error.code}: ${error.message} (${error.url})`)
  process.exitCode = 1
}
