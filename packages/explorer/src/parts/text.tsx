/** Text of a world's data: never markup, direction by its own letters, unseen characters shown, long values folded. */
import { useState } from 'preact/hooks'
import { markedPieces } from '../text/marks.ts'
import { piecesOf, shortened } from '../text/visible.ts'
import { counted, words } from '../words/words.ts'

/** Maximum characters of a text that is not folded. */
const MOST = 700

/** A text from a world's data. `most` characters are shown before it is folded. */
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

/** A paragraph of a world's text; nothing if there is none. */
export function Paragraph(props: { class: string; text: string | undefined; most?: number }) {
  const { class: name, text, most = MOST } = props
  return text === undefined ? null : (
    <p class={name}>
      <Text text={text} most={most} />
    </p>
  )
}

/** A text on one or two lines, cut without a way to unfold it: for titles in lists, since the entity's page has all. */
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

/** A short text, unchanged, isolated from its surroundings, with its unseen characters named. */
export function Safe({ text, dir = 'auto' }: { text: string; dir?: 'auto' | 'ltr' }) {
  return (
    <bdi dir={dir}>
      <Pieces text={text} />
    </bdi>
  )
}

/** `whole` is the text that `text` was cut from. */
function Pieces({ text, whole = text }: { text: string; whole?: string }) {
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
