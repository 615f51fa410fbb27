/** One-line description of an entity that has no summary. */
import type { Entity } from '@worldwright/client'
import { isNumber } from '@worldwright/extensions/shown'
import { subtitleOf } from '../data/subtitle.ts'
import { digits, timeWords, unitAfter } from '../words/words.ts'
import { typeIn } from '../world/world-profile.ts'
import { ShortText } from './text.tsx'
import { useOpenWorld } from './world-context.ts'

/** Values that distinguish an entity, with a label for each number. Words in `matched` are marked. */
export function KeyValues({ entity, matched = [] }: { entity: Entity; matched?: readonly string[] }) {
  const { profile } = useOpenWorld()
  const values = subtitleOf(entity, typeIn(profile, entity.type).schema).map(([field, value]) => {
    if (!isNumber(value)) return timeWords(String(value)) ?? String(value)
    const number = digits(value, field.isGrouped)
    if (/year$/i.test(field.name)) return number
    return `${field.label}: ${number}${unitAfter(field)}`
  })
  return <ShortText text={values.join(' · ')} most={240} matched={matched} />
}
