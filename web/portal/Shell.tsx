import { Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { fill } from '../shared/language.ts'
import { Help } from './Help.tsx'
import { usePaint } from './look.ts'
import { Mark } from './Mark.tsx'
import { leave, sessionQuery, useVisit } from './session.ts'
import { texts } from './texts/texts.ts'

/** What stands around every page of who is in: the products, who it is, and the way out. */
export function Shell() {
  const { products, user, is_view_only: isViewOnly } = useVisit()
  const { product = '' } = useParams({ strict: false })
  const shown = products.find(({ id }) => id === product)
  usePaint(shown?.look.accent ?? null)
  return (
    <div className="portal">
      <a className="skip" href="#content">
        {texts.skip}
      </a>
      <header className="portal-bar">
        <nav aria-label={texts.products}>
          {products.map(({ id, title, icon, look: { logo_url: logo } }) => (
            <Link key={id} to="/$product" params={{ product: id }} className="portal-product">
              <Mark icon={icon} logo={logo} size={24} />
              {title}
            </Link>
          ))}
        </nav>
        <Person />
      </header>
      <main id="content" tabIndex={-1}>
        {isViewOnly ? <p className="note">{fill(texts.viewOnly, { email: user.email })}</p> : null}
        <Outlet />
        {shown ? <Help look={shown.look} /> : null}
      </main>
    </div>
  )
}

function Person() {
  const { user } = useVisit()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const go = async (everywhere: boolean) => {
    await leave(everywhere).catch(() => undefined)
    queries.clear()
    queries.setQueryData(sessionQuery.queryKey, null)
    await navigate({ to: '/' })
  }
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button type="button" className="person">
          {`${user.first} ${user.last}`.trim() || user.email}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item onClick={() => void navigate({ to: '/profile' })}>{texts.profile}</Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => void go(false)}>{texts.leave}</Menu.Item>
        <Menu.Item onClick={() => void go(true)}>{texts.leaveEverywhere}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
