class Urlsift < Formula
  desc "Finds the URLs in text, mail and logs"
  homepage "https://github.com/urlsift/urlsift"
  version "@VERSION@"
  license "MIT"

  on_macos do
    on_arm do
      url "@URL@/urlsift_@VERSION@_darwin_arm64.tar.gz"
      sha256 "@darwin_arm64@"
    end
    on_intel do
      url "@URL@/urlsift_@VERSION@_darwin_amd64.tar.gz"
      sha256 "@darwin_amd64@"
    end
  end

  on_linux do
    on_arm do
      url "@URL@/urlsift_@VERSION@_linux_arm64.tar.gz"
      sha256 "@linux_arm64@"
    end
    on_intel do
      url "@URL@/urlsift_@VERSION@_linux_amd64.tar.gz"
      sha256 "@linux_amd64@"
    end
  end

  def install
    bin.install "urlsift"
    man1.install "urlsift.1"
    bash_completion.install "completions/urlsift.bash" => "urlsift"
    zsh_completion.install "completions/_urlsift"
    fish_completion.install "completions/urlsift.fish"
    prefix.install "NOTICES"
  end

  test do
    assert_equal "http://a.example/\n", pipe_output(bin/"urlsift", "see <http://a.example/>.")
    assert_match version.to_s, shell_output("#{bin}/urlsift version")
  end
end
