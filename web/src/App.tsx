// Which address shows which screen. Each screen is fetched when it is first opened.
import { Suspense } from "react";
import { Route, Switch } from "wouter";
import { Busy } from "./design/controls";
import { Frame } from "./frame/Frame";
import { NeedsExtra } from "./frame/Optional";
import { PARTS, Screen } from "./parts";
import { Missing } from "./screens/Missing";
import { PageScreen } from "./screens/open/PageScreen";
import { StartScreen } from "./screens/open/StartScreen";

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
          <Route path="/teach/:name?">
            {({ name }) => <Screen key={`teach ${name}`} part={PARTS.teach} props={{ name: name ?? null }} />}
          </Route>
          <Route path="/induce">
            <Screen key="induce" part={PARTS.induce} props={{ name: null }} />
          </Route>
          <Route path="/wrappers/:name">
            {({ name }) => <Screen key={`wrapper ${name}`} part={PARTS.induce} props={{ name: name }} />}
          </Route>
          <Route path="/check">
            <Screen key="check" part={PARTS.check} props={{ run: null, repair: null }} />
          </Route>
          <Route path="/runs/:id">
            {({ id }) => <Screen key={`run ${id}`} part={PARTS.check} props={{ run: id, repair: null }} />}
          </Route>
          <Route path="/repairs/:id">
            {({ id }) => <Screen key={`repair ${id}`} part={PARTS.check} props={{ run: null, repair: id }} />}
          </Route>
          <Route path="/home">
            <Screen key="home" part={PARTS.home} props={{}} />
          </Route>
          <Route path="/record/:name?">
            {({ name }) => (
              <Screen key={`record ${name}`} part={PARTS.record} props={{ name: name ?? null }} />
            )}
          </Route>
          <Route path="/flows/:name?">
            {({ name }) => (
              <NeedsExtra name="flow" what="Flows">
                <Screen key={`flow ${name}`} part={PARTS.flow} props={{ name: name ?? null }} />
              </NeedsExtra>
            )}
          </Route>
          <Route path="/match/:flow?/:step?">
            {({ flow, step }) => (
              <NeedsExtra name="flow" what="Matches">
                <Screen
                  key={`match ${flow} ${step}`}
                  part={PARTS.match}
                  props={{ flow: flow ?? null, step: step ?? null }}
                />
              </NeedsExtra>
            )}
          </Route>
          <Route path="/history/:flow?/:run?">
            {({ flow, run }) => (
              <NeedsExtra name="flow" what="Runs of flows">
                <Screen
                  key={`history ${flow} ${run}`}
                  part={PARTS.history}
                  props={{ flow: flow ?? null, run: run ?? null }}
                />
              </NeedsExtra>
            )}
          </Route>
          <Route path="/lab/:page?">
            {({ page }) => <Screen key={`lab ${page}`} part={PARTS.lab} props={{ page: page ?? null }} />}
          </Route>
          <Route>
            <Missing />
          </Route>
        </Switch>
      </Suspense>
    </Frame>
  );
}
