import { useBlocker } from '@tanstack/react-router'
import { Dialog } from '../ui/doing.tsx'
import { isForAnother } from './signed-out.ts'
import { texts } from './texts/texts.ts'

interface Typed {
  /** Tells whether something was typed that is not saved. */
  readonly isChanged: () => boolean
  /** Whether another query of the same page loses it too. */
  readonly isOfQuery?: boolean
}

const NOT_BUSY = { isBusy: false, problem: null }

interface Leaving {
  readonly stay: () => void
  readonly leave: () => void
}

/** Asks whether what was typed shall be lost. */
export const Leave = ({ stay, leave }: Leaving) => (
  <Dialog
    title={texts.unsaved}
    isOpen
    close={stay}
    act={texts.leave}
    keep={texts.stay}
    isDangerous
    doing={NOT_BUSY}
    submit={leave}
  >
    <p>{texts.unsavedMore}</p>
  </Dialog>
)

/**
 * Asks before a page is left on which something was typed and not saved; the browser asks before it is loaded anew. It
 * stands beside the form, as what it submits would be submitted there too.
 */
export function Unsaved({ isChanged, isOfQuery = false }: Typed) {
  const { status, proceed, reset } = useBlocker({
    // Who has to sign in again cannot stay.
    shouldBlockFn: ({ current, next }) =>
      isChanged() && !next.pathname.endsWith('/sign-in') && (isOfQuery || current.pathname !== next.pathname),
    enableBeforeUnload: () => isChanged() && !isForAnother(),
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return <Leave stay={reset} leave={proceed} />
}
