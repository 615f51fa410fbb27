/** Text from a world's data, never treated as markup. Its direction is isolated, and invisible characters are named. */
import { useState } from 'preact/hooks'
import { markedPieces } from '../text/marks.ts'
import { piecesOf, shortened } from '../text/visible.ts'
import { counted, words } from '../words/words.ts'

/** Maximum length of text that is not folded, in UTF-16 code units. */
const MOST = 700

/** Text from a world's data. Beyond `most` characters it is folded until the user expands it. */
export function Text({ text, most = MOST }: { text: string; most?: number }) {
  const [isOpen, setOpen] = useState(false)
  const short = shortened(text, most)
  if (short === undefined) return <Safe text={text} />
  return (
    <span class="folded">
      <Safe text={isOpen ? text : `${short}…`} />{' '}
      <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? words.value.app.less : words.value.app.moreOf(counted(text.length))}
      </button>
    </span>
  )
}

/** Paragraph of text from a world's data. Renders nothing if `text` is undefined. */
export function Paragraph(props: { class: string; text: string | undefined; most?: number }) {
  const { class: name, text, most = MOST } = props
  return text === undefined ? null : (
    <p class={name}>
      <Text text={text} most={most} />
    </p>
  )
}

/** Text cut after `most` characters, which cannot be expanded. For titles in lists, whose full text is on another page. */
export function ShortText(props: { text: string; most?: number; matched?: readonly string[] }) {
  const { text, most = 240, matched = [] } = props
  const short = shortened(text, most)
  return <Marks text={short === undefined ? text : `${short}…`} matched={matched} />
}

function Marks({ text, matched }: { text: string; matched: readonly string[] }) {
  if (matched.length === 0) return <Safe text={text} />
  return (
    <bdi dir="auto">
      {markedPieces(text, matched).map(({ text: part, isMatch }, index) =>
        isMatch ? <mark key={index}>{part}</mark> : <Pieces key={index} text={part} whole={text} />,
      )}
    </bdi>
  )
}

/** Text isolated from its surroundings, with invisible characters shown by name. */
export function Safe({ text, dir = 'auto' }: { text: string; dir?: 'auto' | 'ltr' }) {
  return (
    <bdi dir={dir}>
      <Pieces text={text} />
    </bdi>
  )
}

/** Text with invisible characters shown by name. `whole` is the text from which `text` was cut. */
export function Pieces({ text, whole = text }: { text: string; whole?: string }) {
  const pieces = piecesOf(text, whole)
  return (
    <>
      {pieces.map((piece) =>
        'text' in piece ? (
          piece.text
        ) : (
          <span class="unseen" title={words.value.app.unseen(piece.unseen)}>
            {piece.unseen}
          </span>
        ),
      )}
    </>
  )
}
