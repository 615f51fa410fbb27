/** A box for conditions in CQL2-Text that the filters beside it cannot express. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { ShortText } from '../parts/text.tsx'
import { type Fault, readCql } from '../question/cql.ts'
import { words } from '../words/words.ts'

/** Calls `onText` with a valid condition. Marks, selects and explains a syntax error. `example` is a sample condition. */
export function CqlBox(props: { text: string; example: string; onText: (text: string) => void }) {
  const { text, example, onText } = props
  const [typed, setTyped] = useState(text)
  const [wrong, setWrong] = useState<{ text: string; fault: Fault }>()
  const box = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const { ask } = words.value

  // Update the box when Back or Forward changes the address.
  useEffect(() => setTyped(text), [text])

  async function submit(event: Event) {
    event.preventDefault()
    const read = typed.trim() === '' ? undefined : await readCql(typed)
    if (read !== undefined && 'fault' in read) {
      const { position, length } = read.fault
      setWrong({ text: typed, fault: read.fault })
      box.current?.focus()
      box.current?.setSelectionRange(position, position + length)
      return
    }
    setWrong(undefined)
    onText(typed.trim())
  }

  return (
    <form class="cql" onSubmit={submit} noValidate>
      <label for={id}>{ask.condition}</label>
      <textarea
        ref={box}
        id={id}
        class="field"
        dir="ltr"
        rows={3}
        spellcheck={false}
        autocapitalize="none"
        placeholder={example}
        value={typed}
        aria-invalid={wrong !== undefined}
        aria-describedby={wrong === undefined ? undefined : `${id}-wrong`}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && !event.shiftKey && submit(event)}
      />
      {wrong !== undefined && (
        <div id={`${id}-wrong`} role="alert">
          <p class="code" dir="ltr">
            <Marked {...wrong} />
          </p>
          <p class="wrong">
            <ShortText text={wrong.fault.message} most={400} />
          </p>
        </div>
      )}
      <button type="submit" class="button small">
        {ask.apply}
      </button>
    </form>
  )
}

/** Condition with its syntax error marked. An error at the end is marked by an ellipsis. */
function Marked({ text, fault: { position, length } }: { text: string; fault: Fault }) {
  return (
    <>
      {text.slice(0, position)}
      <mark>{text.slice(position, position + length) || '…'}</mark>
      {text.slice(position + length)}
    </>
  )
}
