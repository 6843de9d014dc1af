import { Button, Menu } from '@mantine/core'
import { Allowed, type Barred } from './Allowed.tsx'
import { texts } from './texts/texts.ts'

type Act = readonly [word: string, press: () => void]

interface Buttons {
  readonly group: string
  /** What each says, and what it does. */
  readonly buttons: readonly Act[]
  /** How many of them stay buttons where there is little room, before a menu of the others; absent: all. */
  readonly most?: number
}

/** What is done with what a page is about, by whoever's role may. */
export const AllowedButtons = ({ group, buttons, most = buttons.length }: Buttons) => (
  <Allowed group={group}>
    {(barred) => (
      <>
        {buttons.map(([word, press], at) => (
          <Button
            {...barred}
            key={word}
            {...(at >= most && { className: 'only-wide' })}
            variant="default"
            onClick={press}
          >
            {word}
          </Button>
        ))}
        {buttons.length > most ? <More barred={barred} acts={buttons.slice(most)} /> : null}
      </>
    )}
  </Allowed>
)

interface InMenu {
  readonly barred: Barred
  readonly acts: readonly Act[]
}

/** It opens for who may do nothing in it too, and says why. */
const More = ({ barred: { disabled, title }, acts }: InMenu) => (
  <Menu position="bottom-start" withinPortal={false} withInitialFocusPlaceholder={false}>
    <Menu.Target>
      <Button className="only-narrow" variant="default">
        {texts.more}
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {title === undefined ? null : <Menu.Label>{title}</Menu.Label>}
      {acts.map(([word, press]) => (
        <Menu.Item key={word} disabled={disabled === true} onClick={press}>
          {word}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
)
