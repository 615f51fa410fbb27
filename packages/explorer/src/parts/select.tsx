/** Drop-down box in which the user makes one choice. */
import { useId } from 'preact/hooks'

/** Labelled drop-down box. `class` sets the layout, which is that of charts by default. It keeps the focus when a choice changes the address. */
export function Select<T extends string>(props: {
  class?: string
  isLarge?: boolean
  label: string
  choices: readonly (readonly [value: T, text: string])[]
  chosen: T
  onChoose: (value: T) => void
}) {
  const { label, choices, chosen, onChoose } = props
  const id = useId()
  return (
    <div class={props.class ?? 'choose'} data-asks="">
      <label for={id}>{label}</label>
      <select
        id={id}
        class={props.isLarge === true ? 'field' : 'field small'}
        value={chosen}
        onChange={(event) => onChoose(event.currentTarget.value as T)}
      >
        {choices.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
