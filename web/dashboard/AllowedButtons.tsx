import { Button } from '@mantine/core'
import { Allowed } from './Allowed.tsx'

interface Buttons {
  readonly group: string
  /** What each says, and what it does. */
  readonly buttons: readonly (readonly [word: string, press: () => void])[]
  /** Whether one of them is being done. */
  readonly isBusy: boolean
}

/** What is done with what a page is about, by whoever's role may. */
export const AllowedButtons = ({ group, buttons, isBusy }: Buttons) => (
  <Allowed group={group}>
    {(barred) =>
      buttons.map(([word, press]) => (
        <Button {...barred} key={word} variant="default" disabled={barred.disabled ?? isBusy} onClick={press}>
          {word}
        </Button>
      ))
    }
  </Allowed>
)
