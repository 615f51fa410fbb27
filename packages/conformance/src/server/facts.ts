/** Facts about a world that a report states: its identifier, and the profile by which the kit reads it. */
import type { ReadingProfile } from '@worldwright/client/foreign'
import { descriptionOf, profile } from './profile.ts'
import type { Target } from './target.ts'

/** Facts about a world. A part that is not known is absent. */
export interface WorldFacts {
  /** Identifier of the world, from its discovery document. */
  readonly world?: string
  /** Reading profile: member names, given or found, and which of them are proved. */
  readonly reading?: ReadingProfile
}

/** Gathers the facts, which the checks have found before. */
export async function worldFacts(target: Target): Promise<WorldFacts> {
  const document = await target.document().then(
    (found) => found.document,
    () => ({}),
  )
  const { id } = descriptionOf(target, document)
  return { ...(id && { world: id.value }), reading: await profile(target) }
}

/** Returns the names of a profile as text, each as a guess unless it is proved. Empty if all names are ours. */
export function namesIn({ names = {}, proved = [] }: Partial<ReadingProfile> = {}): string {
  const isProved = (name: string) => proved.some((one) => one === name)
  return Object.entries(names)
    .map(([name, path]) => `${name}=${path}${isProved(name) ? '' : ' (a guess)'}`)
    .join(', ')
}
