/** Damages search indexes at random. None may hang, return wrong results, or stay damaged after a rebuild. */
import { damageIndexes } from '../packages/sqlite/src/index-damage.fixture.ts'
import { type Effort, type Finding, finding } from './fault.ts'

/** Runs the fault with 100,000 damaged indexes, or 2,000 in a short run. Half of them have valid checksums. */
export async function damagedIndex({ short }: Effort): Promise<Finding> {
  const half = short ? 1_000 : 50_000
  const seed = Date.now() % 1_000_000
  const plain = damageIndexes(half, seed)
  const resealed = damageIndexes(half, seed, true)
  const noticed = plain.noticed + resealed.noticed
  const harmless = plain.harmless + resealed.harmless
  return finding(`${2 * half} damaged indexes from seed ${seed}: ${noticed} noticed, ${harmless} harmless`, {
    'wrong answers': plain.wrong,
    'other errors': plain.unforeseen + resealed.unforeseen,
    'not mended': plain.notMended + resealed.notMended,
  })
}
