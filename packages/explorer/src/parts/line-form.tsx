/** Form with a single input box. */
import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { useId, useState } from 'preact/hooks'

/** Form with one input box, which has the attributes `box` and begins with `text`. Shows `wrong` if `onText` returns false for the entered text. */
export function LineForm(props: {
  label: string
  text?: string
  box: InputHTMLAttributes<HTMLInputElement>
  button: string
  wrong: string
  onText: (text: string) => boolean
  children?: ComponentChildren
}) {
  const [text, setText] = useState(props.text ?? '')
  const [isWrong, setWrong] = useState(false)
  const id = useId()

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setWrong(!props.onText(text))
  }

  return (
    <form class="open-box" onSubmit={submit} noValidate>
      <label for={id}>{props.label}</label>
      <div class="row">
        <input
          {...props.box}
          id={id}
          class="field"
          dir={props.box.dir ?? 'ltr'}
          value={text}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? `${id}-wrong` : undefined}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="button primary">
          {props.button}
        </button>
        {props.children}
      </div>
      {isWrong && (
        <p id={`${id}-wrong`} class="wrong" role="alert">
          {props.wrong}
        </p>
      )}
    </form>
  )
}
