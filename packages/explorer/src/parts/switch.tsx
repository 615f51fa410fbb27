/** One of a few choices, side by side: radio buttons, which every keyboard and screen reader knows. */
import { useId } from 'preact/hooks'

/** Radio buttons side by side. `label` names them together, for those who do not see them. */
export function Switch<T extends string>(props: {
  label: string
  value: T
  choices: readonly (readonly [value: T, label: string])[]
  onChoice: (value: T) => void
}) {
  const { label, value, choices, onChoice } = props
  const name = useId()
  return (
    <fieldset class="switch">
      <legend class="hidden">{label}</legend>
      {choices.map(([choice, text]) => (
        <label key={choice}>
          <input type="radio" name={name} checked={choice === value} onChange={() => onChoice(choice)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
