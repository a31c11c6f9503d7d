// Which address shows which screen. Each screen is fetched when it is first opened.
import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { Busy } from "./design/controls";
import { Frame } from "./frame/Frame";
import { Missing } from "./screens/Missing";
import { PageScreen } from "./screens/open/PageScreen";
import { StartScreen } from "./screens/open/StartScreen";

const TeachScreen = lazy(() => import("./screens/teach/TeachScreen"));
const InduceScreen = lazy(() => import("./screens/induce/InduceScreen"));
const CheckScreen = lazy(() => import("./screens/check/CheckScreen"));
const LabScreen = lazy(() => import("./screens/lab/LabScreen"));

export function App() {
  return (
    <Frame>
      <Suspense fallback={<Busy>Opening …</Busy>}>
        <Switch>
          <Route path="/">
            <StartScreen />
          </Route>
          <Route path="/pages/:id/:key?">
            {({ id, key }) => <PageScreen key={id} id={id} result={key ?? null} />}
          </Route>
          <Route path="/teach/:name?">{({ name }) => <TeachScreen key={name} name={name ?? null} />}</Route>
          <Route path="/induce">
            <InduceScreen name={null} />
          </Route>
          <Route path="/wrappers/:name">{({ name }) => <InduceScreen key={name} name={name} />}</Route>
          <Route path="/check">
            <CheckScreen run={null} repair={null} />
          </Route>
          <Route path="/runs/:id">{({ id }) => <CheckScreen key={id} run={id} repair={null} />}</Route>
          <Route path="/repairs/:id">{({ id }) => <CheckScreen key={id} run={null} repair={id} />}</Route>
          <Route path="/lab/:page?">{({ page }) => <LabScreen key={page} page={page ?? null} />}</Route>
          <Route>
            <Missing />
          </Route>
        </Switch>
      </Suspense>
    </Frame>
  );
}
