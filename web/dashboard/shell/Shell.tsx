import { Drawer } from '@mantine/core'
import { Outlet, useLocation, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { useWatched } from '../live.ts'
import { usePlace, type PlaceSearch } from '../place.ts'
import { texts } from '../texts/texts.ts'
import { BandClock } from './BandClock.tsx'
import { Keyboard } from './Keyboard.tsx'
import { Mode } from './Mode.tsx'
import { Navigation } from './Navigation.tsx'
import { Person } from './Person.tsx'
import { Search } from './Search.tsx'

/** What stands around every page of who is signed in. */
export function Shell() {
  const [isOpen, setOpen] = useState(false)
  const { pathname } = useLocation()
  const { mode } = useSearch({ strict: false }) as PlaceSearch
  useWatched(`${usePlace().accountPath}/events/stream`)
  useEffect(() => setOpen(false), [pathname])
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {texts.skip}
      </a>
      <header className="bar">
        <button
          type="button"
          className="icon-button only-narrow"
          aria-label={texts.menu}
          aria-expanded={isOpen}
          onClick={() => setOpen(true)}
        >
          <Icon name="menu" />
        </button>
        <strong className="only-narrow">{texts.keywright}</strong>
        <div className="bar-end">
          <Search />
          <Mode />
          <Person />
        </div>
      </header>
      {mode === 'test' ? (
        <section className="band" aria-label={texts.testMode}>
          <strong>{texts.testMode}</strong> {texts.testModeMore} <BandClock />
        </section>
      ) : null}
      <div className="side only-wide">
        <Navigation />
      </div>
      <Drawer.Root opened={isOpen} onClose={() => setOpen(false)} size={260}>
        <Drawer.Overlay />
        <Drawer.Content>
          <div className="dialog-head">
            <Drawer.Title>{texts.keywright}</Drawer.Title>
            <Drawer.CloseButton aria-label={texts.close} />
          </div>
          <Drawer.Body>
            <Navigation />
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <Keyboard />
    </div>
  )
}
