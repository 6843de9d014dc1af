import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { checkoutLink } from './code.ts'
import type { About } from './Designer.tsx'
import type { Values } from './parameters.ts'

interface Shown extends About {
  /** Whether the product is known. */
  readonly isThere: boolean
  readonly sandbox: Values
  readonly shown: { readonly productId: string; readonly values: Values }
}

/** The real checkout as it is chosen. It leaves no cart, unless one is opened; each is a frame of its own. */
export function Preview({ texts: { words }, prefix, isThere, sandbox, shown }: Shown) {
  const [round, setRound] = useState(0)
  const values: Values = { cart: 'false', ...sandbox, ...present(shown.values) }
  const address = checkoutLink({ base: prefix, productId: shown.productId, values })
  const isTest = values.sandbox !== undefined
  return (
    <section aria-labelledby="preview-title">
      <div class="bar">
        <h2 id="preview-title">{words.preview}</h2>
        {isThere && (
          <button type="button" onClick={() => setRound(round + 1)}>
            {words.reload}
          </button>
        )}
      </div>
      {isThere ? (
        <div class="frame">
          <p class={isTest ? 'band' : 'band warning'}>{isTest ? words.sandbox : words.live}</p>
          <Frame key={`${round} ${address}`} title={words.preview} address={address} />
        </div>
      ) : (
        <p class="muted empty">{words.waits}</p>
      )}
    </section>
  )
}

/** A checkout that does not take the focus from who is typing: its own first field has it as soon as it opens. */
function Frame({ title, address }: { readonly title: string; readonly address: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const isPressed = useRef(false)
  // Before the page is painted: a checkout may open before what waits for that has run.
  useLayoutEffect(() => keepFocus(frame.current, () => isPressed.current), [])
  return (
    <iframe
      ref={frame}
      title={title}
      src={address}
      onLoad={({ currentTarget }) => {
        currentTarget.contentWindow?.addEventListener('pointerdown', () => (isPressed.current = true), true)
      }}
    />
  )
}

/** Gives the focus back that went into a frame neither by the Tab key nor by a press in it; returns what ends that. */
function keepFocus(frame: HTMLIFrameElement | null, isPressed: () => boolean): () => void {
  let before = document.activeElement
  let isTabbing = false
  const ends = new AbortController()
  const { signal } = ends
  const pressed = ({ key }: KeyboardEvent) => {
    isTabbing = key === 'Tab'
  }
  const moved = () => {
    before = document.activeElement
    isTabbing = false
  }
  // An element hears nothing of the focus that is in its frame, the window does.
  const lost = () => {
    if (document.activeElement !== frame || isTabbing || isPressed()) return
    // Once the frame has it: this is heard on the way there.
    queueMicrotask(() => {
      frame?.blur()
      if (before instanceof HTMLElement && before !== frame) before.focus({ preventScroll: true })
    })
  }
  document.addEventListener('keydown', pressed, { signal })
  document.addEventListener('focusin', moved, { signal })
  window.addEventListener('blur', lost, { signal })
  return () => ends.abort()
}

/** What was emptied again is not there. */
const present = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))
