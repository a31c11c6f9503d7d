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
const HomeScreen = lazy(() => import("./screens/home/HomeScreen"));
const RecordScreen = lazy(() => import("./screens/record/RecordScreen"));
const FlowScreen = lazy(() => import("./screens/flow/FlowScreen"));
const MatchScreen = lazy(() => import("./screens/match/MatchScreen"));
const HistoryScreen = lazy(() => import("./screens/history/HistoryScreen"));
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
          <Route path="/home">
            <HomeScreen />
          </Route>
          <Route path="/record/:name?">{({ name }) => <RecordScreen key={name} name={name ?? null} />}</Route>
          <Route path="/flows/:name?">{({ name }) => <FlowScreen key={name} name={name ?? null} />}</Route>
          <Route path="/match/:flow?/:step?">
            {({ flow, step }) => (
              <MatchScreen key={`${flow}/${step}`} flow={flow ?? null} step={step ?? null} />
            )}
          </Route>
          <Route path="/history/:flow?/:run?">
            {({ flow, run }) => (
              <HistoryScreen key={`${flow}/${run}`} flow={flow ?? null} run={run ?? null} />
            )}
          </Route>
          <Route path="/lab/:page?">{({ page }) => <LabScreen key={page} page={page ?? null} />}</Route>
          <Route>
            <Missing />
          </Route>
        </Switch>
      </Suspense>
    </Frame>
  );
}
