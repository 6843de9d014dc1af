import { Button } from '@mantine/core'
import { Allowed } from './Allowed.tsx'

interface Buttons {
  readonly group: string
  /** What each says, and what it does. */
  readonly buttons: readonly (readonly [word: string, press: () => void])[]
}

/** What is done with what a page is about, by whoever's role may. */
export const AllowedButtons = ({ group, buttons }: Buttons) => (
  <Allowed group={group}>
    {(barred) =>
      buttons.map(([word, press]) => (
        <Button {...barred} key={word} variant="default" onClick={press}>
          {word}
        </Button>
      ))
    }
  </Allowed>
)
