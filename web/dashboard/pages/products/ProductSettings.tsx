import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { PluginInfo } from '../../../../src/catalogue/products/info-schema.ts'
import type { Plugin as Product } from '../../../../src/catalogue/products/schema.ts'
import type { Setting } from '../../../../src/catalogue/products/settings-schema.ts'
import { Allowed } from '../../Allowed.tsx'
import { useDoing } from '../../../ui/doing.tsx'
import { FormPanel } from '../../form.tsx'
import { One } from '../../One.tsx'
import { ApiCall, Failure, PageHead } from '../../parts.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { plansQuery } from '../../products.ts'
import { ask, askIfAny } from '../../../ui/server.ts'
import { productTexts } from '../../texts/of-products.ts'
import { texts } from '../../texts/texts.ts'
import { Keys } from '../keys/Keys.tsx'
import { PortalSettings } from './PortalSettings.tsx'
import { typeOf } from './own-types.ts'
import { INFO_FIELDS, productFields, sentSetting, panelsOf, SHOWN, shownSetting } from './fields.ts'

/** Everything that is said of a product as a whole: what it is, how it is sold, its icon and what everybody is shown. */
export function ProductSettings() {
  const { path } = usePlace()
  const { data: plans = [] } = useQuery(plansQuery(path))
  return (
    <One<Product> title={texts.productSettings} path={path} query={{ fields: SHOWN }}>
      {(found) => (
        <>
          <PageHead title={texts.productSettings} about={productTexts.productSettingsAbout} />
          <div className="halves">
            <div className="stack">
              <FormPanel
                title={productTexts.productSales}
                fields={productFields(plans)}
                before={{ ...found, type: typeOf(found) }}
                group="catalogue"
                sent={(body) => ({ method: 'PUT', path: `${path}.json`, query: { fields: SHOWN }, body })}
              />
              <Icon icon={found.icon} />
              <Info />
              <Keys of="product" own={path} publicKey={found.public_key} />
            </div>
            <Settings product={found} />
          </div>
          <Portal />
          <ApiCall path={`${path}/settings.json`} />
        </>
      )}
    </One>
  )
}

/** The settings of the product, which two parts of the page show. */
function useSettings() {
  const { path } = usePlace()
  const list = `${path}/settings.json`
  const asked = useQuery({
    queryKey: [list],
    queryFn: () => ask<{ readonly settings: readonly Setting[] }>(list),
  })
  const dataOf = (type: number) =>
    asked.data?.settings.find(({ setting_type: one }) => one === type)?.data ?? '{}'
  return { ...asked, list, dataOf }
}

/** What is said of the portal; what is wrong with asking for it stands above. */
function Portal() {
  const { data, dataOf } = useSettings()
  return data ? <PortalSettings portal={dataOf(8)} pages={dataOf(7)} /> : null
}

/** The settings by what they are about; each is written by itself. */
function Settings({ product }: { readonly product: Product }) {
  const { data, error, refetch, list, dataOf } = useSettings()
  if (error) return <Failure error={error} again={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <div className="stack">
      {panelsOf(product).map(({ type, title, group, fields }) => (
        <FormPanel
          key={title}
          title={title}
          fields={fields}
          before={shownSetting(dataOf(type))}
          group={group}
          sent={(changed) => ({ method: 'PUT', path: list, body: sentSetting(type, changed) })}
        />
      ))}
    </div>
  )
}

/** The icon, which is chosen and sent at once. */
function Icon({ icon }: Pick<Product, 'icon'>) {
  const { path } = usePlace()
  const chosen = useRef<HTMLInputElement>(null)
  const doing = useDoing(() => undefined)
  const send = (file: File | undefined) => {
    if (!file) return
    const body = new FormData()
    body.append('icon', file)
    doing.send({ method: 'PUT', path: `${path}.json`, query: { fields: SHOWN }, body })
  }
  const fault = doing.problem && (doing.faultOf('icon') ?? (doing.problem.message || texts.away))
  return (
    <section className="panel card form" aria-label={productTexts.icon}>
      <h2>{productTexts.icon}</h2>
      {icon === null ? (
        <p className="muted">{productTexts.noIcon}</p>
      ) : (
        <img className="icon-shown" src={icon} alt={productTexts.icon} width={64} height={64} />
      )}
      <p className="muted">{productTexts.iconHelp}</p>
      {fault ? (
        <p className="note bad" role="alert">
          {fault}
        </p>
      ) : null}
      <input
        ref={chosen}
        type="file"
        accept="image/png,image/jpeg,image/gif"
        aria-label={productTexts.iconChoose}
        hidden
        onChange={({ target }) => send(target.files?.[0])}
      />
      <div>
        <Allowed group="catalogue" isQuiet>
          {(barred) => (
            <Button
              {...barred}
              variant="default"
              loading={doing.isBusy}
              onClick={() => chosen.current?.click()}
            >
              {productTexts.iconChoose}
            </Button>
          )}
        </Allowed>
      </div>
    </section>
  )
}

/** What everybody is shown of it; of a product that has said nothing every field is empty. */
function Info() {
  const { path } = usePlace()
  const own = `${path}/info.json`
  const { data, error, refetch } = useQuery({
    queryKey: [own],
    queryFn: async (): Promise<Partial<PluginInfo>> => (await askIfAny<PluginInfo>(own)) ?? {},
  })
  if (error) return <Failure error={error} again={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <FormPanel
      title={productTexts.info}
      about={productTexts.infoMore}
      fields={INFO_FIELDS}
      before={{ ...data, screenshots: Object.values(data.screenshots ?? {}) }}
      group="catalogue"
      sent={(changed) => ({ method: 'PUT', path: own, body: sentInfo(changed) })}
    />
  )
}

/** Screenshots have a name each. */
function sentInfo(changed: Record<string, unknown>): Record<string, unknown> {
  const { screenshots } = changed
  if (!Array.isArray(screenshots)) return changed
  const named = screenshots.map((address: unknown, at) => [`screenshot_${at}`, address] as const)
  return { ...changed, screenshots: Object.fromEntries(named) }
}
