/** A few values of an entity that has no summary, on one line. */
import type { Entity } from '@worldwright/client'
import { presentFields } from '../data/fields.ts'
import { kindOf } from '../data/values.ts'
import { locale } from '../navigation/settings.ts'
import { numberText, timeText } from '../text/numbers.ts'
import { unitText } from '../words/words.ts'
import { typeIn } from '../world/outlook.ts'
import { ShortText } from './text.tsx'
import { useOpenWorld } from './world-context.ts'

const MOST_VALUES = 4

/** The first values of the entity that are texts or numbers, with their labels; what matched is marked. */
export function KeyValues({ entity, matched = [] }: { entity: Entity; matched?: readonly string[] }) {
  const { outlook } = useOpenWorld()
  const values = presentFields(entity.attributes, typeIn(outlook, entity.type).schema).flatMap(
    ([field, value]) => {
      const known = kindOf(value)
      if (known.kind === 'text')
        return [`${field.label}: ${timeText(known.value, locale.value) ?? known.value}`]
      if (known.kind !== 'number') return []
      const number = numberText(known.value, locale.value, field.isGrouped)
      return [`${field.label}: ${number}${field.unit === undefined ? '' : ` ${unitText(field.unit)}`}`]
    },
  )
  return <ShortText text={values.slice(0, MOST_VALUES).join(' · ')} most={240} matched={matched} />
}
