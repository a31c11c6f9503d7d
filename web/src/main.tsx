import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./design/tokens.css";
import "./design/base.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import { queryClient } from "./api/queries";
import { fetchOthers, fetchPart } from "./parts";

const WAIT_MS = 500; // for the part that the address needs; then the frame is shown without it
const IDLE_MS = 1500; // after which the other parts are fetched, when the first screen is there

function show(): void {
  createRoot(document.getElementById("root")!).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
  setTimeout(fetchOthers, IDLE_MS);
}

Promise.race([
  fetchPart(window.location.pathname),
  new Promise((resolve) => setTimeout(resolve, WAIT_MS)),
]).then(show);
