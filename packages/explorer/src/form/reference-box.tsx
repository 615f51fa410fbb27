/** Control for references: the chosen entities, and a box that suggests others. */
import { isObject, referenceIn } from '@worldwright/extensions/shown'
import { useState } from 'preact/hooks'
import { IconButton } from '../parts/icon-button.tsx'
import { CrossIcon } from '../parts/icons.tsx'
import { ReferenceName } from '../parts/reference.tsx'
import { comboboxOf, Suggestions, useSuggestions } from '../parts/suggestions.tsx'
import { jsonFrom } from '../text/attempt.ts'
import { words } from '../words/words.ts'
import type { FormField } from './form-field.ts'
import { formWords } from './form-words.ts'

/** Attributes that connect a control with its label and its texts. */
export interface ControlProps {
  readonly id: string
  readonly name: string
  readonly class: string
  readonly 'aria-invalid': boolean
  readonly 'aria-required': boolean
  readonly 'aria-describedby': string
}

/**
 * Box in which references are chosen by search. Its value is a JSON list on the first line, and on the second what is typed
 * but not chosen, which must not get lost in silence.
 */
export function ReferenceBox(props: {
  field: FormField
  value: string
  onValue: (value: string) => void
  common: ControlProps
}) {
  const { field, value, onValue, common } = props
  const [list = '', typed = ''] = value.split('\n')
  const parsed = jsonFrom(list)
  const chosen = (Array.isArray(parsed) ? parsed : []).filter(isObject)
  const [isActive, setActive] = useState(false)
  const suggestions = useSuggestions(isActive ? typed : '', field.types)
  const { found, active, isOpen, step } = suggestions

  function give(members: readonly object[], rest = '') {
    onValue([members.length > 0 ? JSON.stringify(members) : '', ...(rest === '' ? [] : [rest])].join('\n'))
  }

  function choose(index: number) {
    const entity = found[index]
    if (entity === undefined) return
    const one = { type: entity.type, id: entity.id }
    give(field.control === 'references' ? [...chosen, one] : [one])
  }

  function key(event: KeyboardEvent) {
    if (event.isComposing || !isOpen) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') step(event.key === 'ArrowDown' ? 1 : -1)
    else if (event.key === 'Enter') choose(Math.max(active, 0))
    else if (event.key === 'Escape') setActive(false)
    else return
    event.preventDefault()
  }

  return (
    <div class="reference-box">
      {chosen.map((one, index) => {
        const to = referenceIn(one)
        const remove = () => give(chosen.toSpliced(index, 1), typed)
        return (
          to && (
            <span key={JSON.stringify(one)} class="chip">
              <ReferenceName to={to} />
              <IconButton label={formWords().remove(to.id)} onClick={remove}>
                <CrossIcon />
              </IconButton>
            </span>
          )
        )
      })}
      <input
        {...common}
        {...comboboxOf(suggestions)}
        type="text"
        dir="auto"
        value={typed}
        placeholder={words.value.search.placeholder}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          setActive(true)
          give(chosen, event.currentTarget.value)
        }}
        onKeyDown={key}
        onBlur={() => setActive(false)}
      />
      <Suggestions {...suggestions} onChoose={choose} />
    </div>
  )
}
